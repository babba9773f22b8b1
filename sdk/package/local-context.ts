import { join } from "node:path";
import { boundedFetch } from "../api/bounded-fetch";
import type { Context } from "../context/context";
import { configDir } from "../context/platform/config-dir";
import { type HalcyonOptions, nodeContext } from "../context/platform/node-context";

/** Returns the context of a program with the installed package. It proves with the service's circuits. */
export function localContext(options: HalcyonOptions): Context {
  return nodeContext(options, async ({ baseUrl, call }) => {
    const { inThreadProver } = await import("./in-thread-prover");
    const download = boundedFetch(call, options.fetch);
    return inThreadProver(baseUrl, download, join(options.configDir ?? configDir(), "circuits"));
  });
}
