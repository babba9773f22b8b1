/*
 * Writes the API's OpenAPI document, docs/openapi.json, from the routes' own declarations, and the SDK's types,
 * sdk/api/resources; the table of the operations that take a session, in docs/session-api.md; and what each environment
 * variable sets, in docs/configuration.md, from their declarations.
 *   npm run openapi               writes it
 *   npm run openapi -- --check    fails if the committed files differ
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { CONFIGURATION, configurationDocument } from "./openapi/environment-variables";
import { DOCUMENT, generateDocument, SESSION_DOCUMENT, sessionDocument } from "./openapi/load";
import { RESOURCES, typesOf } from "./openapi/types";

const text = await generateDocument();
const ofSessions = await sessionDocument();
const configuration = configurationDocument();
if (process.argv.includes("--check")) {
  const committed = existsSync(DOCUMENT) ? readFileSync(DOCUMENT, "utf8") : "";
  if (committed !== text) {
    console.error("docs/openapi.json is not what the routes declare. Run: npm run openapi");
    process.exit(1);
  }
  if (readFileSync(SESSION_DOCUMENT, "utf8") !== ofSessions) {
    console.error("docs/session-api.md does not list the operations that take a session. Run: npm run openapi");
    process.exit(1);
  }
  if (readFileSync(CONFIGURATION, "utf8") !== configuration) {
    console.error("docs/configuration.md is not what the variables' declarations say. Run: npm run openapi");
    process.exit(1);
  }
} else {
  writeFileSync(CONFIGURATION, configuration);
  writeFileSync(SESSION_DOCUMENT, ofSessions);
  mkdirSync(path.dirname(DOCUMENT), { recursive: true });
  writeFileSync(DOCUMENT, text);
  rmSync(RESOURCES, { recursive: true, force: true });
  mkdirSync(RESOURCES);
  for (const [file, types] of typesOf(text)) writeFileSync(path.join(RESOURCES, file), types);
}
process.exit(0);
