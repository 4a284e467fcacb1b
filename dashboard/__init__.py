"""The HTML page of `chcfuzz dashboard`. It needs the packages of the extra `dashboard`."""
