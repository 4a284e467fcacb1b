"""The state that the processes of a campaign share."""
