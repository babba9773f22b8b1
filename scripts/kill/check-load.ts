import { isDeepStrictEqual } from "node:util";
import { isDelivered } from "./deliveries";
import type { SeenEvent, SeenLoad, SeenPayer, SeenTransfer } from "./see-load";

/** A refused delivery is tried again after five seconds, by the clock of another process. */
const RETRY_MS = 4_900;

/**
 * Whether the product kept its promises: every idempotency key is one transfer, nothing stays pending, what the
 * recipient's wallet decrypts is what was sent, and each payer has the rest. Each transfer's events happened once, on
 * both sides, and say what happened. Each event was delivered as listed, signed, and nothing else was; what the endpoint
 * refused came again in time.
 *
 * @returns what is wrong, one line each; empty if every promise was kept
 */
export function checkLoad(load: SeenLoad): string[] {
  return [
    ...everyKeyIsOneTransfer(load),
    ...recipientHasAll(load),
    ...load.payers.flatMap((payer) => [...payerHasTheRest(load, payer), ...deliveriesAreRight(payer)]),
  ];
}

function everyKeyIsOneTransfer({ payments, transfers, failures }: SeenLoad): string[] {
  const wrong: string[] = [];
  const unanswered = payments.filter(({ transferId }) => transferId === undefined).length;
  if (unanswered > 0) wrong.push(`${unanswered} payments were never answered: ${failures.join("; ")}`);
  const open = transfers.filter(({ status }) => status !== "confirmed");
  if (open.length > 0) wrong.push(`not confirmed: ${open.map(({ id, status }) => `${id} ${status}`).join(", ")}`);
  const listed = new Set(transfers.map(({ id }) => id));
  if (listed.size !== payments.length) wrong.push(`${payments.length} keys made ${listed.size} transfers`);
  for (const { key, transferId, again } of payments) {
    if (again !== transferId) wrong.push(`key ${key} was answered ${transferId}, now ${again}`);
    if (!again || !listed.has(again)) wrong.push(`${again} is not in its payer's list`);
  }
  return wrong;
}

function recipientHasAll({ payments, transfers, recipient }: SeenLoad): string[] {
  const wrong: string[] = [];
  const { events, holds, unreadable } = recipient;
  const sent = payments.reduce((sum, { amount }) => sum + amount, 0n);
  if (holds !== sent) wrong.push(`the recipient's wallet decrypts ${holds} millionths, ${sent} were sent`);
  if (unreadable > 0) wrong.push(`${unreadable} notes do not open`);
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  for (const { payer, transferId } of payments) {
    const of = events.filter(({ type, id }) => type === "transfer.confirmed" && id === transferId);
    if (of.length !== 1) wrong.push(`the recipient's transfer.confirmed of ${transferId} is there ${of.length} times`);
    const otherwise = of.filter(({ event }) => !saysSo(event, payer, byId.get(transferId ?? "")));
    for (const { event } of otherwise) wrong.push(`the recipient's event says otherwise: ${JSON.stringify(event)}`);
  }
  return wrong;
}

function payerHasTheRest({ payments, transfers, recipient }: SeenLoad, payer: SeenPayer): string[] {
  const wrong: string[] = [];
  const { handle, events, given, left } = payer;
  const own = payments.filter((one) => one.payer === handle);
  const due = given - own.reduce((sum, { amount }) => sum + amount, 0n);
  if (left !== due) wrong.push(`${handle} has to have ${due} millionths, and has ${left}`);
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  for (const { type, id, event } of events.filter(isOfTransfer)) {
    if (!saysSo(event, recipient.handle, byId.get(id))) {
      wrong.push(`${type} of ${id} says otherwise: ${JSON.stringify(event)}`);
    }
  }
  for (const { transferId } of own) {
    for (const type of ["transfer.initiated", "transfer.confirmed"]) {
      const count = events.filter((one) => one.type === type && one.id === transferId).length;
      if (count !== 1) wrong.push(`${type} of ${transferId} happened ${count} times`);
    }
  }
  const failed = events.filter(({ type }) => type === "transfer.failed");
  return [...wrong, ...failed.map(({ id }) => `transfer.failed ${id}`)];
}

function deliveriesAreRight({ handle, events, deliveries }: SeenPayer): string[] {
  const wrong: string[] = [];
  const announced = events.filter(isOfTransfer);
  const accepted = deliveries.filter((one) => one.accepted);
  const came = new Set(accepted.map(({ eventId }) => eventId));
  const missing = announced.filter(({ eventId }) => !came.has(eventId)).map(({ eventId }) => eventId);
  if (missing.length > 0) wrong.push(`never delivered to ${handle}: ${missing.join(", ")}`);
  for (const { eventId, event } of announced) {
    const got = accepted.filter((one) => one.eventId === eventId);
    if (got.some((one) => !isDeepStrictEqual(one.event, event)))
      wrong.push(`${eventId} was delivered otherwise than listed`);
    if (got.some(({ signed }) => !signed)) wrong.push(`${eventId} was not signed by its webhook's secret`);
    const refused = deliveries.find((one) => !one.accepted && one.eventId === eventId);
    const after = refused && got[0] ? got[0].at - refused.at : Number.POSITIVE_INFINITY;
    if (after < RETRY_MS) wrong.push(`${eventId} came again ${after} ms after it was refused`);
  }
  const known = new Set(announced.map(({ eventId }) => eventId));
  const strange = [...came].filter((id) => !known.has(id));
  return strange.length > 0 ? [...wrong, `delivered to ${handle}, but no event of its: ${strange.join(", ")}`] : wrong;
}

const isOfTransfer = ({ type }: Pick<SeenEvent, "type">) => isDelivered(type);

/** Reports whether an event has the other party, the asset and the transaction of its transfer. */
function saysSo(event: SeenEvent["event"], counterparty: string, transfer: SeenTransfer | undefined): boolean {
  const isMined = event.event !== "transfer.confirmed" || event.tx_hash === transfer?.txHash;
  return event.counterparty === `@${counterparty}` && event.asset === "USDG" && isMined;
}
