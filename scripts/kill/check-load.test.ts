import { describe, expect, it } from "vitest";
import { checkLoad } from "./check-load";
import type { SeenDelivery, SeenEvent, SeenLoad } from "./see-load";

type Doctored<T> = T extends readonly (infer One)[]
  ? Doctored<One>[]
  : T extends object
    ? { -readonly [Name in keyof T]: Doctored<T[Name]> }
    : T;

const PAYERS = ["ada", "bob"] as const;
const EACH = 3;
const GIVEN = 1_000_000n;

/** What a product that keeps every promise leaves behind: two people paid a third one, three times each. */
function perfect(): Doctored<SeenLoad> {
  const payments = PAYERS.flatMap((payer, p) =>
    Array.from({ length: EACH }, (_, n) => {
      const id = `tr_${payer}_${n}`;
      return { key: `key_${payer}_${n}`, payer, amount: BigInt(10 * p + n + 1), transferId: id, again: id };
    }),
  );
  const transfers = payments.map(({ transferId: id }) => ({ id, status: "confirmed", txHash: `0x${id}` }));
  const eventOf = (type: string, id: string, counterparty: string): SeenEvent => {
    const eventId = `evt_${type}_${id}_${counterparty}`;
    const event = {
      event: type,
      event_id: eventId,
      counterparty: `@${counterparty}`,
      asset: "USDG",
      tx_hash: `0x${id}`,
    };
    return { type, eventId, id, event };
  };
  const payers = PAYERS.map((handle) => {
    const own = payments.filter(({ payer }) => payer === handle);
    const events = own.flatMap(({ transferId: id }) => [
      eventOf("transfer.initiated", id, "carol"),
      eventOf("transfer.confirmed", id, "carol"),
    ]);
    const deliveries = events.flatMap(({ eventId, event }, n): SeenDelivery[] => [
      ...(n % 2 === 0 ? [{ eventId, event, signed: true, at: 1_000, accepted: false }] : []),
      { eventId, event, signed: true, at: 6_200, accepted: true },
    ]);
    return {
      handle,
      events,
      deliveries,
      given: GIVEN,
      left: GIVEN - own.reduce((sum, { amount }) => sum + amount, 0n),
    };
  });
  const recipient = {
    handle: "carol",
    events: payments.map(({ transferId, payer }) => eventOf("transfer.confirmed", transferId, payer)),
    holds: payments.reduce((sum, { amount }) => sum + amount, 0n),
    unreadable: 0,
  };
  return { payments, transfers, payers, recipient, failures: [] } as Doctored<SeenLoad>;
}

/** What is said of a run that was perfect but for this. */
function doctored(doctor: (load: Doctored<SeenLoad>, first: Firsts) => void): string {
  const load = perfect();
  const [payment, transfer, payer] = [load.payments[0], load.transfers[0], load.payers[0]];
  const [event, delivery] = [payer?.events[0], payer?.deliveries[1]];
  if (!payment || !transfer || !payer || !event || !delivery) throw new Error("there is nothing to doctor");
  doctor(load, { payment, transfer, payer, event, delivery });
  return checkLoad(load).join("\n");
}

interface Firsts {
  payment: Doctored<SeenLoad["payments"][number]>;
  transfer: Doctored<SeenLoad["transfers"][number]>;
  payer: Doctored<SeenLoad["payers"][number]>;
  event: Doctored<SeenEvent>;
  delivery: Doctored<SeenDelivery>;
}

it("a run in which every promise was kept is found to be so", () => {
  expect(checkLoad(perfect())).toEqual([]);
});

describe("a broken promise is found:", () => {
  it("a payment that got no response, or one that is listed no more", () => {
    expect(
      doctored((_, { payment }) => {
        payment.transferId = undefined;
      }),
    ).toMatch(/1 payments were never answered/);
    expect(doctored(({ transfers }) => void transfers.shift())).toMatch(/tr_ada_0 is not in its payer's list/);
  });

  it("a key that made another transfer when it was sent again", () => {
    expect(
      doctored((_, { payment }) => {
        payment.again = "tr_again";
      }),
    ).toMatch(/key key_ada_0 was answered tr_ada_0, now tr_again/);
  });

  it("a payment that failed, or is shown with another transaction", () => {
    expect(
      doctored((_, { transfer }) => {
        transfer.status = "failed";
      }),
    ).toMatch(/not confirmed: tr_ada_0 failed/);
    expect(
      doctored((_, { transfer }) => {
        transfer.txHash = "0xother";
      }),
    ).toMatch(/transfer.confirmed of tr_ada_0 says otherwise/);
  });

  it("a payment made twice, by what the recipient and the payer have", () => {
    const wrong = doctored(({ recipient }, { payer, payment }) => {
      recipient.holds += payment.amount;
      payer.left -= payment.amount;
    });
    expect(wrong).toMatch(/the recipient's wallet decrypts 43 millionths, 42 were sent/);
    expect(wrong).toMatch(/^ada has to have 999994 millionths, and has 999993$/m);
  });

  it.each([
    ["counterparty", "@somebody-else"],
    ["asset", "ETH"],
  ])("events with another %s, on either side", (field, value) => {
    expect(
      doctored((_, { event }) => void Object.assign(event, { event: { ...event.event, [field]: value } })),
    ).toMatch(/^transfer.initiated of tr_ada_0 says otherwise/m);
    expect(
      doctored(({ recipient: { events } }) => {
        for (const one of events) one.event = { ...one.event, [field]: value };
      }),
    ).toMatch(/^the recipient's event says otherwise/m);
  });

  it("an event that is missing or happened twice, or of a failure", () => {
    expect(doctored(({ recipient }) => void recipient.events.shift())).toMatch(/of tr_ada_0 is there 0 times/);
    expect(doctored((_, { payer }) => void payer.events.shift())).toMatch(
      /transfer.initiated of tr_ada_0 happened 0 t/,
    );
    expect(doctored((_, { payer, event }) => void payer.events.push(event))).toMatch(/of tr_ada_0 happened 2 times/);
    expect(doctored((_, { payer, event }) => void payer.events.push({ ...event, type: "transfer.failed" }))).toMatch(
      /^transfer.failed tr_ada_0$/m,
    );
  });

  it("a delivery that never came, came too soon, by another key or with another text, or of no event", () => {
    expect(
      doctored((_, { payer, event }) => {
        payer.deliveries = payer.deliveries.filter(({ eventId, accepted }) => eventId !== event.eventId || !accepted);
      }),
    ).toMatch(/^never delivered to ada: evt_transfer.initiated_tr_ada_0_carol$/m);
    expect(doctored((_, { delivery }) => void Object.assign(delivery, { at: 1_100 }))).toMatch(
      /came again 100 ms after it was refused/,
    );
    expect(doctored((_, { delivery }) => void Object.assign(delivery, { signed: false }))).toMatch(
      /was not signed by its webhook's/,
    );
    expect(
      doctored((_, { delivery }) => void Object.assign(delivery, { event: { ...delivery.event, asset: "ETH" } })),
    ).toMatch(/was delivered otherwise than listed/);
    expect(doctored((_, { payer, delivery }) => void payer.deliveries.push({ ...delivery, eventId: "evt_x" }))).toMatch(
      /^delivered to ada, but no event of its: evt_x$/m,
    );
  });
});
