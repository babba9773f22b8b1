// Runs one process of the service from a build of `npm run build`: node scripts/serve.mjs web|worker|migrate|… Plain
// Node, because an image has neither npm nor a compiler.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { warnOfNode } from "./node-warning.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const current = path.join(root, ".halcyon", "build", "current.json");
const [name] = process.argv.splice(2, 1);

function stop(message) {
  // Not by the console: web replaces it by one that leaves texts out.
  process.stderr.write(`${typeof message === "string" ? message : inspect(message)}\n`);
  process.exit(1);
}

if (!existsSync(current)) stop("Nothing is built here. Run: npm run build");
const { dist, programs } = JSON.parse(readFileSync(current, "utf8"));
if (!Object.hasOwn(programs, name ?? "")) stop(`usage: node scripts/serve.mjs ${Object.keys(programs).join("|")}`);
if (!existsSync(path.join(root, dist))) stop("The build is gone. Run: npm run build");

process.chdir(root);
process.env.NODE_ENV ||= "production";
process.env.HALCYON_DIST = dist;
// The settings with which the build was made. Reading next.config.ts would need a compiler.
const { config } = JSON.parse(readFileSync(path.join(root, dist, "required-server-files.json"), "utf8"));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
process.setSourceMapsEnabled(true);
warnOfNode();
try {
  await import(pathToFileURL(path.join(root, programs[name])).href);
} catch (error) {
  // Errors that the operator can fix are shown without a stack trace.
  stop(error?.name === "EnvError" || error?.name === "StackError" ? error.message : error);
}
