/*
 * Loaded before an installed program: ends it when it asks the service for a circuit that its package or its owner's
 * folder has. A second process that proves has to use what the first one kept.
 */
import { subscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

const { circuits } = JSON.parse(readFileSync(new URL("../../circuits/manifest.json", import.meta.url), "utf8"));
const folders = [process.env.HALCYON_TEST_PACKAGED, path.join(homedir(), ".config", "halcyon", "circuits")];

subscribe("http.client.request.start", ({ request }) => {
  const [, name, kind] = /^\/circuits\/([\w-]+)\.(witness|zkey|vkey)(?:\.json)?$/.exec(request.path) ?? [];
  const hash = circuits[name]?.[kind];
  if (!hash || !folders.some((folder) => existsSync(path.join(folder, hash)))) return;
  process.stderr.write(`asked the service for a circuit that is kept: ${request.path}\n`);
  process.exit(70);
});
