import { readdirSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../stack/config";

/** Test files about the server in front, or about processes that they start themselves, which are that server. */
export const OF_THE_SERVER = ["daily-limit", "fuzz", "metrics", "process", "rate-limits", "transport"];
/** Tests of what only that server handles: bodies of GET, the end of a stream, unknown methods. */
export const KNOWN_TO_THE_SERVER = [
  "a GET with a body",
  "a stream ends with its session, signed out or revoked from elsewhere",
  "a method that an address does not support",
  // It needs the 405 of the test before.
  "of every code of the contract there is an example",
];

/** Returns the files of the API suite whose subject is not the server in front. */
export function specsOfRoutes(): string[] {
  return readdirSync(path.join(ROOT, "e2e/api"))
    .filter((file) => file.endsWith(".spec.ts") && !OF_THE_SERVER.includes(file.slice(0, -".spec.ts".length)))
    .map((file) => `e2e/api/${file}`);
}
