"""The version of this package that it reports to the service."""

VERSION = "0.1.0"
