; accounts := all of them open, with balance 0
; repeat any number of times: pay one into an open account, or close one whose balance is 0
; assert if account 0 is closed, its balance is 0
(set-logic HORN)
(set-info :status sat)
(declare-datatypes ((Account 0)) (((account (open Bool) (balance Int)))))
(declare-fun bank ((Array Int Account)) Bool)
(assert (bank ((as const (Array Int Account)) (account true 0))))
(assert (forall ((b (Array Int Account)) (i Int))
    (=> (and (bank b) (open (select b i))) (bank (store b i (account true (+ (balance (select b i)) 1)))))))
(assert (forall ((b (Array Int Account)) (i Int))
    (=> (and (bank b) (= (balance (select b i)) 0)) (bank (store b i (account false (balance (select b i))))))))
(assert (forall ((b (Array Int Account))) (=> (and (bank b) (not (open (select b 0))) (not (= (balance (select b 0)) 0))) false)))
(check-sat)
