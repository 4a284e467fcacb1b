"""The rooms below joined: one way from a recipe to verdicts, the same for a campaign, a confirmation and a replay."""
