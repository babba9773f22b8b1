import type { Context } from "../context/context";
import { type ClientOptions, contextOf, type Platform } from "../context/options";
import { configDir } from "./config-dir";
import { FilePins } from "./file-pins";

/** What a client in Node is told. */
export interface HalcyonOptions extends ClientOptions {
  /** Where pins and circuits are kept; HALCYON_CONFIG_DIR when left out, then ~/.config/halcyon. */
  configDir?: string;
}

/** Address of the local stack. */
export const DEFAULT_URL = "http://localhost:3000";

/** The context of a Node program: pins in a file, a session of the wallet's own. */
export function nodeContext(options: HalcyonOptions, loadProver: Platform["loadProver"]): Context {
  const pins = () => new FilePins(options.configDir ?? configDir());
  return contextOf(options, { url: DEFAULT_URL, pins, loadProver });
}
