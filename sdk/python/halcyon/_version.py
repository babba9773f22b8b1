"""The version of this package, as it is sent to the service."""

VERSION = "0.1.0"
