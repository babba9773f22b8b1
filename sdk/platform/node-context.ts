import { join } from "node:path";
import type { Context } from "../context/context";
import { type ClientOptions, contextOf, type Platform } from "../context/context-of";
import { configDir } from "./config-dir";
import { FilePins } from "./file-pins";
import { SDK_VERSION } from "./sdk-version";

/** The options of a client in Node. */
export interface HalcyonOptions extends ClientOptions {
  /** Where pins and circuits are kept; HALCYON_CONFIG_DIR when left out, then ~/.config/halcyon. */
  configDir?: string | undefined;
}

/** Which version on which runtime, for the service's logs. */
const USER_AGENT = `halcyon-sdk/${SDK_VERSION} node/${process.versions.node}`;

/** The address of the service when a client in Node names none: the local stack. */
export const DEFAULT_URL = "http://localhost:3000";

/** The context of a Node program: pins in a file, a session of the wallet's own. */
export function nodeContext(options: HalcyonOptions, loadProver: Platform["loadProver"]): Context {
  const pins = () => new FilePins(options.configDir ?? configDir());
  return contextOf(options, { url: DEFAULT_URL, pins, loadProver, userAgent: USER_AGENT });
}

/** Where a Node program keeps payments over HTTP 402 that were not served yet. */
export function offersFolder({ configDir: folder = configDir() }: HalcyonOptions): string {
  return join(folder, "offers");
}
