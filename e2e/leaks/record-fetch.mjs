// Loaded into the command line with --import: keeps every response of the service, for the search.
import { appendFileSync } from "node:fs";

const file = process.env.RECORD_ANSWERS;
const fetch = globalThis.fetch;
if (file) {
  globalThis.fetch = async (...args) => {
    const response = await fetch(...args);
    const body = await response.clone().text();
    appendFileSync(file, `${response.status} ${response.url}\n${JSON.stringify([...response.headers])}\n${body}\n`);
    return response;
  };
}
