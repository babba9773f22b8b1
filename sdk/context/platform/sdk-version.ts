/**
 * The version of this package that the SDK reports to the service. Copied from package.json, because not every loader
 * can import JSON.
 */
export const SDK_VERSION = "0.1.0";
