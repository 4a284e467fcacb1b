"""The page of a campaign: what `chcfuzz dashboard` writes. Needs the packages of the extra `chcfuzz[dashboard]`."""
