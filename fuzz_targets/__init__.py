"""The fuzz targets: programs that libFuzzer runs through Atheris."""
