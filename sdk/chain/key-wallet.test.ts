import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { keccak256, parseTransaction } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { expect, test } from "vitest";
import { serve } from "@/test/sdk/serve";
import { AbortableCall } from "../api/abortable-call";
import { CallAborted } from "../api/call-aborted";
import { keyWallet } from "./key-wallet";
import { sendWith } from "./wallet";

const wallet = keyWallet(generatePrivateKey());
const CALL = { to: `0x${"11".repeat(20)}`, value: 7n } as const;
const SEND = "eth_sendRawTransaction";
const BLOCK = { number: "0x1", hash: `0x${"22".repeat(32)}`, timestamp: "0x1", transactions: [], baseFeePerGas: "0x1" };
const RESULTS: Record<string, unknown> = {
  eth_chainId: "0xb626",
  eth_getTransactionCount: "0x0",
  eth_getBlockByNumber: BLOCK,
  eth_maxPriorityFeePerGas: "0x1",
  eth_gasPrice: "0x1",
  eth_estimateGas: "0x5208",
};

interface Asked {
  id: number;
  method: string;
  params: unknown[];
}

/** Starts a node that responds to the calls needed to prepare a transaction, but never to the method `silent`. */
function node(silent: string, onSilent: (asked: Asked) => void): Promise<string> {
  return serve(async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await json(request)) as Asked | Asked[];
    const all = [body].flat();
    const unanswered = all.find(({ method }) => method === silent);
    if (unanswered) return onSilent(unanswered);
    const replies = all.map(({ id, method }) => ({ jsonrpc: "2.0", id, result: RESULTS[method] }));
    response.end(JSON.stringify(Array.isArray(body) ? replies : replies[0]));
  });
}

test("a signal that is aborted already keeps a transaction from being prepared", async () => {
  const url = await node("", () => {});
  const call = new AbortableCall({ signal: AbortSignal.abort() });
  await expect(sendWith(wallet, CALL, url, call)).rejects.toBeInstanceOf(CallAborted);
});

test("a signal ends the wait for a node that does not respond, and nothing was sent", async () => {
  const controller = new AbortController();
  const url = await node("eth_estimateGas", () => controller.abort());
  const call = new AbortableCall({ signal: controller.signal });
  await expect(sendWith(wallet, CALL, url, call)).rejects.toBeInstanceOf(CallAborted);
});

test("once the transaction has left, a signal ends the wait and its hash is known: it may happen", async () => {
  const controller = new AbortController();
  const sent: `0x${string}`[] = [];
  const url = await node(SEND, ({ params }) => {
    sent.push(params[0] as `0x${string}`);
    controller.abort();
  });
  const hash = await sendWith(wallet, CALL, url, new AbortableCall({ signal: controller.signal }));
  expect(sent).toHaveLength(1);
  const [raw = "0x"] = sent;
  expect(hash).toBe(keccak256(raw));
  expect(parseTransaction(raw)).toMatchObject({ to: CALL.to, value: CALL.value, nonce: 0, chainId: 46630 });
});
