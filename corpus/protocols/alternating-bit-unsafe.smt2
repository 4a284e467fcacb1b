; the sender numbers its messages and sends each with a bit until that bit comes back as acknowledgement
; the receiver accepts a message whose bit it expects; but this one does not look at the bit
; assert that the receiver has what was sent, or one message less
(set-logic HORN)
(set-info :status unsat)
(declare-fun state (Int Bool Int Bool) Bool)
; the message in the channel is number `sent` with `bit`; the acknowledgement is (not expected)
(assert (state 1 false 0 false))
(assert (forall ((sent Int) (received Int) (bit Bool) (expected Bool))
  (=> (and (state sent bit received expected) (or (= bit expected) bit))
      (state sent bit (+ received 1) (not expected)))))
(assert (forall ((sent Int) (received Int) (bit Bool) (expected Bool))
  (=> (and (state sent bit received expected) (= bit (not expected)))
      (state (+ sent 1) (not bit) received expected))))
(assert (forall ((sent Int) (received Int) (bit Bool) (expected Bool))
  (=> (and (state sent bit received expected) (not (or (= received sent) (= sent (+ received 1)))))
      false)))
(check-sat)
