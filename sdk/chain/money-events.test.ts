import { type Address, createPublicClient, custom, encodeAbiParameters, type Hex, pad, toEventSelector } from "viem";
import { expect, test } from "vitest";
import { LEDGER_EVENTS, MONEY_EVENTS } from "@/lib/ledger/ledger-events";
import { moneyEvents } from "./ledger-events";

const LEDGER: Address = `0x${"5".repeat(40)}`;
const ACCOUNT: Address = `0x${"a1".repeat(20)}`;
const OTHER: Address = `0x${"b2".repeat(20)}`;
const selector = (name: string) => {
  const event = LEDGER_EVENTS.find((one) => one.name === name);
  if (!event) throw new Error(`the ledger has no ${name}`);
  return toEventSelector(event);
};
const topic = (address: Address) => pad(address, { size: 32 });

/** Returns a node with these logs that filters by topics as real nodes do, and the topic filters it was sent. */
function nodeWith(logs: { topics: Hex[]; data: Hex }[]) {
  const asked: (Hex | Hex[] | null)[][] = [];
  const request = async ({ params }: { params: [{ topics: (Hex | Hex[] | null)[] }] }) => {
    const [{ topics }] = params;
    asked.push(topics);
    const fits = (log: { topics: Hex[] }) =>
      topics.every((wanted, index) => wanted === null || [wanted].flat().includes(log.topics[index] ?? "0x"));
    return logs.filter(fits).map((log, index) => {
      return { ...log, blockNumber: "0x1", logIndex: `0x${index}`, transactionHash: `0x${"cd".repeat(32)}` };
    });
  };
  return { asked, client: createPublicClient({ transport: custom({ request: request as never }) }) };
}

const deposited = (account: Address) => ({
  topics: [selector("Deposited"), topic(account), topic(LEDGER)],
  data: encodeAbiParameters([{ type: "uint64" }], [7n]),
});
const paid = (from: Address, to: Address) => ({
  topics: [selector("Paid"), topic(from), topic(to)],
  data: encodeAbiParameters(
    [{ type: "address" }, { type: "uint256" }, { type: "bytes32[4]" }],
    [LEDGER, 1n, [topic(LEDGER), topic(LEDGER), topic(LEDGER), topic(LEDGER)]],
  ),
});

test("the node is asked for the account's own events and for no one else's, each event by its first or its second topic", async () => {
  const { asked, client } = nodeWith([deposited(ACCOUNT), deposited(OTHER), paid(OTHER, ACCOUNT), paid(OTHER, OTHER)]);
  const events = await moneyEvents(client as never, LEDGER, ACCOUNT, 1n, 1n);
  expect(events.map(({ eventName }) => eventName)).toEqual(["Deposited", "Paid"]);
  const [first = [], second = []] = asked;
  expect(first[0]).toEqual(expect.arrayContaining(MONEY_EVENTS.map(selector)));
  expect(first[0]).toHaveLength(MONEY_EVENTS.length);
  expect(first[1]).toBe(topic(ACCOUNT));
  expect(second).toEqual([["Transferred", "Paid", "Funded"].map(selector).sort(), null, topic(ACCOUNT)].map(sorted));
});

const sorted = (one: unknown) => (Array.isArray(one) ? expect.arrayContaining(one) : one);

test("bytes that the ledger does not write are not believed", async () => {
  const odd = deposited(ACCOUNT);
  const { client } = nodeWith([{ ...odd, data: `${odd.data}00` }]);
  await expect(moneyEvents(client as never, LEDGER, ACCOUNT, 1n, 1n)).rejects.toThrow("not a log of the ledger");
});
