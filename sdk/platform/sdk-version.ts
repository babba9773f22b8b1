/** The version of this package, as the service gets it: that of package.json, which not every loader reads as a module. */
export const SDK_VERSION = "0.1.0";
