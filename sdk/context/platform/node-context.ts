import { join } from "node:path";
import type { Context } from "../context";
import { type ClientOptions, contextOf, type Platform } from "../context-of";
import { configDir } from "./config-dir";
import { FilePins } from "./file-pins";
import { SDK_VERSION } from "./sdk-version";

/** The options of a client in Node. */
export interface HalcyonOptions extends ClientOptions {
  /** The folder for pins and circuits. Default: HALCYON_CONFIG_DIR, or else ~/.config/halcyon. */
  configDir?: string | undefined;
}

/** SDK and runtime version, for the service's logs. */
const USER_AGENT = `halcyon-sdk/${SDK_VERSION} node/${process.versions.node}`;

/** The default address of the service for clients in Node: the local stack. */
export const DEFAULT_URL = "http://localhost:3000";

/** Creates the context of a Node program: pins in a file, and a session signed in with the wallet. */
export function nodeContext(options: HalcyonOptions, loadProver: Platform["loadProver"]): Context {
  const pins = () => new FilePins(options.configDir ?? configDir());
  return contextOf(options, { url: DEFAULT_URL, pins, loadProver, userAgent: USER_AGENT });
}

/** Returns the folder in which a Node program keeps payments over HTTP 402 that are not served yet. */
export function offersFolder({ configDir: folder = configDir() }: HalcyonOptions): string {
  return join(folder, "offers");
}
