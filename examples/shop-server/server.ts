import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import path from "node:path";
import { FIRST_CURSOR, Halcyon, InvalidWebhook, verifyWebhook } from "@halcyon/sdk";

/** An order. The customer pays it with the memo "order <id>". */
interface Order {
  amount: string;
  asset: string;
  payments: { transfer_id: string; amount: string }[];
  shipped: boolean;
}

/** Everything the shop stores. `leftovers` are payments for a person to look at, for example to refund them. */
interface Book {
  orders: Record<string, Order>;
  leftovers: { transfer_id: string; amount: string; asset: string; reason: string }[];
  /** The id of the newest event that was handled. */
  cursor: string | null;
}

const { env } = process;
const folder = env.SHOP_DATA ?? "./data";
const bookFile = path.join(folder, "orders.json");
mkdirSync(path.join(folder, "shipments"), { recursive: true });

// This server reads and can't spend: the SDK refuses an API key that can do more.
const halcyon = new Halcyon({
  url: env.HALCYON_URL ?? "http://localhost:3000",
  apiKey: env.HALCYON_API_KEY,
  viewingKey: env.HALCYON_VIEWING_KEY,
  // With a node of your own, the SDK also checks that the ledger shows each payment.
  rpcUrl: env.HALCYON_RPC_URL,
});

// A real shop keeps its orders in a database, and records a payment and its order in one transaction.
const book: Book = existsSync(bookFile)
  ? JSON.parse(readFileSync(bookFile, "utf8"))
  : { orders: { 1042: { amount: "25", asset: "USDG", payments: [], shipped: false } }, leftovers: [], cursor: null };

/** Writes the whole book to a new file and renames it, so that a crash leaves either the old file or the new one. */
function save(): void {
  writeFileSync(`${bookFile}.new`, JSON.stringify(book, null, 2));
  renameSync(`${bookFile}.new`, bookFile);
}

/** Converts an amount to the smallest units of its asset. Never compare amounts as floating-point numbers. */
function units(amount: string, asset: string): bigint {
  const [whole = "0", fraction = ""] = amount.split(".");
  return BigInt(whole + fraction.padEnd(asset === "ETH" ? 9 : 6, "0"));
}

/** Reports whether this payment was recorded before: deliveries are repeated, and a restart reads events again. */
function isKnown(transferId: string): boolean {
  const paid = Object.values(book.orders).flatMap(({ payments }) => payments);
  return [...paid, ...book.leftovers].some(({ transfer_id }) => transfer_id === transferId);
}

/** Returns why a payment doesn't pay for this order; null if it does. */
function whyNot(order: Order | undefined, asset: string): string | null {
  if (!order) return "no such order";
  if (order.asset !== asset) return "another asset";
  return order.shipped ? "paid already" : null;
}

/** Reads a payment, records it once, and ships orders that are paid in full. */
async function handlePayment(transferId: string): Promise<void> {
  if (isKnown(transferId)) return;
  const { direction, status, transfer_id, amount, asset, memo } = await halcyon.transfers.getDecrypted(transferId);
  if (direction !== "received" || status !== "confirmed") return;
  // It can't be decrypted, or your node does not show it yet. Fail the delivery, so that Halcyon repeats it.
  if (amount === null) throw new Error(`${transferId} has no amount that can be verified`);
  const id = /^order (\d+)$/i.exec(memo?.trim() ?? "")?.[1];
  const order = id === undefined ? undefined : book.orders[id];
  const reason = whyNot(order, asset);
  if (order && reason === null) order.payments.push({ transfer_id, amount });
  else book.leftovers.push({ transfer_id, amount, asset, reason: reason ?? "" });
  save();
  shipPaid();
}

/** Ships every order that is paid in full and not shipped yet. Safe to call at any time. */
function shipPaid(): void {
  for (const [id, order] of Object.entries(book.orders)) {
    const paid = order.payments.reduce((sum, { amount }) => sum + units(amount, order.asset), 0n);
    if (order.shipped || paid < units(order.amount, order.asset)) continue;
    ship(id);
    order.shipped = true;
    save();
  }
}

/**
 * Hands an order to the carrier, with the order's id as the idempotency key: after a crash before `save`, the order is
 * shipped again under the same key, and the parcel is sent only once. Here, a file that can be created only once stands
 * in for the carrier.
 */
function ship(id: string): void {
  const parcel = path.join(folder, "shipments", `${id}.json`);
  if (!existsSync(parcel)) writeFileSync(parcel, JSON.stringify({ order: id }), { flag: "wx" });
}

/** Handles payments made while this server was down. The event stream is ordered and skips no event. */
async function catchUp(): Promise<void> {
  shipPaid();
  const after = book.cursor ?? FIRST_CURSOR;
  for await (const event of halcyon.events.list({ types: ["transfer.confirmed"], after })) {
    if (event.event === "transfer.confirmed" && event.direction === "received") await handlePayment(event.transfer_id);
    book.cursor = event.event_id;
    save();
  }
}

/** The payment being handled. Payments are handled one at a time, so two deliveries of one payment can't race. */
let last: Promise<void> = Promise.resolve();

function inTurn(transferId: string): Promise<void> {
  const mine = last.then(() => handlePayment(transferId));
  last = mine.catch(() => {});
  return mine;
}

/** Reads the raw body, whose bytes the signature covers; null if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > 65_536) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function statusFor(request: IncomingMessage): Promise<number> {
  if (request.method !== "POST" || request.url !== "/webhooks/halcyon") return 404;
  try {
    const body = await bodyOf(request);
    if (body === null) return 413;
    const event = verifyWebhook(body, request.headers, env.HALCYON_WEBHOOK_SECRET ?? "");
    if (event.event === "transfer.confirmed" && event.direction === "received") await inTurn(event.transfer_id);
    return 204;
  } catch (error) {
    if (error instanceof InvalidWebhook) return 400;
    // Any status other than 2xx makes Halcyon deliver again later.
    console.error("A payment was not handled:", error instanceof Error ? error.message : "unknown error");
    return 500;
  }
}

await catchUp();
const server = createServer(async (request, response) => {
  response.writeHead(await statusFor(request), { connection: "close" }).end();
});
server.listen(Number(env.PORT ?? 4000), () => console.log("The shop is open."));
