// Preloaded (NODE_OPTIONS=--import) into web and worker: RPC_TROUBLE_FILE says, in JSON and at any time again, what is
// wrong with the node they ask (`mode`), for as long as the file says so:
//   away     nothing listens
//   slow     each response takes a second
//   lost     what is asked is done, and its response is lost
//   no_logs  there are no events, whatever happened
//   behind   it has not seen the newest receipts and blocks yet
import { readFileSync } from "node:fs";

const file = process.env.RPC_TROUBLE_FILE;
const url = process.env.RPC_URL_46630;

function mode() {
  try {
    return JSON.parse(readFileSync(file, "utf8")).mode;
  } catch {
    return "none";
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const refused = () =>
  Object.assign(new TypeError("fetch failed"), {
    cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }),
  });

/** What a node that lies returns for one call. */
function lie(now, { method, params = [] }, response) {
  if (!("result" in response)) return response;
  if (now === "no_logs" && method === "eth_getLogs") return { ...response, result: [] };
  if (now !== "behind") return response;
  if (method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash")
    return { ...response, result: null };
  if (method === "eth_getLogs" && params[0]?.blockHash === undefined) return { ...response, result: [] };
  return response;
}

if (file && url) {
  const trueFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const asked = String(input?.url ?? input);
    const now = asked.startsWith(url) ? mode() : "none";
    if (now === "away") throw refused();
    if (now === "slow") await sleep(1_000);
    const response = await trueFetch(input, init);
    if (now === "lost") {
      await response.arrayBuffer();
      throw refused();
    }
    if (now !== "no_logs" && now !== "behind") return response;
    const call = JSON.parse(String(init?.body));
    const body = await response.json();
    const result = Array.isArray(call)
      ? body.map((one) => lie(now, call.find(({ id }) => id === one.id) ?? {}, one))
      : lie(now, call, body);
    return new Response(JSON.stringify(result), {
      status: response.status,
      headers: { "content-type": "application/json" },
    });
  };
}
