"""The one way from a recipe to verdicts, for campaigns, examinations and replays."""
