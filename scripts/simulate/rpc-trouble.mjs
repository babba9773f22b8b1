// Preloaded (NODE_OPTIONS=--import) into web and worker: RPC_TROUBLE_FILE says, in JSON and at any time again, what is
// wrong with the node they ask (`mode`), for as long as the file says so:
//   away     nothing listens
//   slow     each response takes a second
//   lost     what is asked is done, and its response is lost
//   no_logs  there are no events, whatever happened
//   behind   it has not seen the newest receipts and blocks yet
//   swallow  it says that it took a transaction, and drops it
// and what it makes up, where RPC_TROUBLE_SECOND_NODE says that the same chain is asked at a second address too:
//   wrong_receipts  what went through failed, what failed went through, and so did what is in no block
//   made_up_events  a deposit that never was, and events twice
//   wrong_words     one bit of what the ledger holds at a block is another, viewing keys too; no one has any ether
//   too_high        the newest and the final block have a number of the future
//   too_final       the newest block is final
//   too_many_sent   every account has sent more transactions than it has
import { readFileSync } from "node:fs";

const file = process.env.RPC_TROUBLE_FILE;
const url = process.env.RPC_URL_46630;
const ledger = process.env.LEDGER_ADDRESS_46630;
// Another name of the same host, which is never lied about.
if (url && process.env.RPC_TROUBLE_SECOND_NODE) {
  process.env.RPC_CHECK_URL_46630 = url.replace("127.0.0.1", "localhost");
}

const LIES = new Set([
  ...["no_logs", "behind", "swallow"],
  ...["wrong_receipts", "made_up_events", "wrong_words", "too_high", "too_final", "too_many_sent"],
]);
/** keccak256("Deposited(address,address,uint64)") */
const DEPOSITED = "0x56b78ff574d1f4febd28fdc15b6490c8384ccc7aab92c4a48d47ff45e01e5d64";
/** Selector of account(address), whose first word is the viewing key. */
const ACCOUNT = "0x73b9aa91";
const MORE = 3;
const FAR = 1_000;
const TAGS = ["latest", "safe", "finalized"];

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
const more = (hex, by) => `0x${(BigInt(hex) + BigInt(by)).toString(16)}`;

/** Where the product looks for a `fetch` in place of its own (lib/base/machine-fetch.ts). */
const FETCH = Symbol.for("halcyon.fetch");
const trueFetch = globalThis[FETCH] ?? globalThis.fetch;

/** Asks the node itself. */
async function ask(method, params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await trueFetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  return (await response.json()).result;
}

/** A receipt of a transaction that is in no block. */
async function receiptOfNothing(transactionHash) {
  const block = await ask("eth_getBlockByNumber", ["latest", false]);
  if (!block) return null;
  const { hash: blockHash, number: blockNumber, miner: from, logsBloom } = block;
  return { transactionHash, blockHash, blockNumber, from, to: ledger, status: "0x1", logs: [], logsBloom };
}

/** The newest deposit once more, in the last block that is asked about. */
async function depositOfNothing({ fromBlock, toBlock }) {
  const block = await ask("eth_getBlockByNumber", [toBlock ?? "latest", false]);
  if (!block || BigInt(block.number) < BigInt(fromBlock ?? 0)) return [];
  const before = await ask("eth_getLogs", [
    { address: ledger, fromBlock: "0x0", toBlock: block.number, topics: [DEPOSITED] },
  ]);
  const newest = before?.at(-1);
  if (!newest) return [];
  return [{ ...newest, blockNumber: block.number, blockHash: block.hash, logIndex: "0xfff0" }];
}

/** The same with the lowest bit of a word turned. Which word, the call decides. */
function withOtherBit(data, word) {
  const words = (data.length - 2) / 64;
  if (words < 1) return data;
  const at = 2 + 64 * ((word % words) + 1) - 1;
  return data.slice(0, at) + (Number.parseInt(data[at], 16) ^ 1).toString(16) + data.slice(at + 1);
}

const LIARS = {
  async no_logs({ method }, truth) {
    return method === "eth_getLogs" ? [] : truth;
  },
  async behind({ method, params }, truth) {
    if (method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash") return null;
    return method === "eth_getLogs" && params[0]?.blockHash === undefined ? [] : truth;
  },
  async wrong_receipts({ method, params }, truth) {
    if (method !== "eth_getTransactionReceipt") return truth;
    return truth ? { ...truth, status: truth.status === "0x1" ? "0x0" : "0x1" } : receiptOfNothing(params[0]);
  },
  async made_up_events({ method, params }, truth) {
    if (method === "eth_getLogs" && params[0].address?.toLowerCase() === ledger?.toLowerCase()) {
      return [...truth, ...(await depositOfNothing(params[0]))];
    }
    if (method !== "eth_getTransactionReceipt" || !truth) return truth;
    return { ...truth, logs: truth.logs.flatMap((log) => [log, { ...log, logIndex: more(log.logIndex, FAR) }]) };
  },
  async wrong_words({ method, params }, truth) {
    if (method === "eth_getBalance") return "0x0";
    if (method !== "eth_call") return truth;
    const [{ data }, at] = params;
    if (at?.blockHash) return withOtherBit(truth, Number.parseInt(data.slice(-6), 16));
    return data.startsWith(ACCOUNT) ? withOtherBit(truth, 0) : truth;
  },
  async too_high({ method, params }, truth) {
    if (method === "eth_blockNumber") return more(truth, FAR);
    const isNewest = method === "eth_getBlockByNumber" && TAGS.includes(params[0]);
    return isNewest && truth ? { ...truth, number: more(truth.number, FAR) } : truth;
  },
  async too_final({ method, params }, truth) {
    if (method === "eth_getBlockByNumber" && TAGS.includes(params[0])) return ask(method, ["latest", params[1]]);
    if (method === "eth_getTransactionCount") return ask(method, [params[0], "latest"]);
    return truth;
  },
  async too_many_sent({ method }, truth) {
    return method === "eth_getTransactionCount" ? more(truth, MORE) : truth;
  },
};

/** What a node that lies returns for one call. */
async function lie(now, call, response) {
  if (!("result" in response)) return response;
  return { ...response, result: await LIARS[now]({ params: [], ...call }, response.result) };
}

/** A node that takes transactions and drops them. */
function swallow(call) {
  const takes = (one) => one.method === "eth_sendRawTransaction";
  if (Array.isArray(call) || !takes(call)) return undefined;
  return { jsonrpc: "2.0", id: call.id, result: `0x${"11".repeat(32)}` };
}

const asJson = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

if (file && url) {
  globalThis[FETCH] = async (input, init) => {
    const asked = String(input?.url ?? input);
    const now = asked.startsWith(url) ? mode() : "none";
    if (now === "away") throw refused();
    if (now === "slow") await sleep(1_000);
    const call = LIES.has(now) ? JSON.parse(String(init?.body)) : undefined;
    const swallowed = now === "swallow" && swallow(call);
    if (swallowed) return asJson(swallowed);
    const response = await trueFetch(input, init);
    if (now === "lost") {
      await response.arrayBuffer();
      throw refused();
    }
    if (!(now in LIARS)) return response;
    const body = await response.json();
    const result =
      Array.isArray(call) && Array.isArray(body)
        ? await Promise.all(body.map((one) => lie(now, call.find(({ id }) => id === one.id) ?? {}, one)))
        : await lie(now, call, body);
    return asJson(result, response.status);
  };
}
