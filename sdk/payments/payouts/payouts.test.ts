import { expect, test } from "vitest";
import { CHAIN, clientOf } from "@/test/sdk/every-method";
import { ServiceUnreachable } from "../../api/errors";
import { ResponseLost } from "../attempts/outcome-unknown";

const INPUT = { rows: [{ to: "@bob", amount: "1" }] };
const BEGUN = { payout_id: "po_1", status: "processing", rows: 1, rows_pending: 1 };

/** Records the idempotency keys of payouts. Loses the response to each resumption. */
function losing(keys: (string | null)[]): typeof fetch {
  return async (input, init) => {
    const { url, headers } = new Request(input, init);
    if (url.endsWith("/resume")) throw new TypeError("the connection was reset");
    keys.push(headers.get("idempotency-key"));
    return Response.json(BEGUN, { status: 201 });
  };
}

test("a payout that has begun and can't be followed says how to go on, and not to begin another", async () => {
  const keys: (string | null)[] = [];
  const { payouts } = clientOf({ fetch: losing(keys) });
  const error = await payouts.create(INPUT).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ResponseLost);
  const { idempotencyKey, message, code, cause } = error as ResponseLost;
  expect([code, idempotencyKey]).toEqual(["outcome_unknown", keys[0]]);
  expect(message).toContain(`not known yet whether this call paid: repeat it with the idempotency key ${keys[0]}`);
  expect(cause).toBeInstanceOf(ServiceUnreachable);
  await payouts.create(INPUT, { idempotencyKey }).catch(() => {});
  expect(keys).toEqual([idempotencyKey, idempotencyKey]);
  expect(await payouts.create(INPUT, { wait: false })).toMatchObject(BEGUN);
});

test("a payout of which the service has another number of rows is not followed as if it were the one asked for", async () => {
  const fetched: typeof fetch = async () => Response.json({ ...BEGUN, rows: 2 }, { status: 201 });
  const created = clientOf({ fetch: fetched }).payouts.create(INPUT);
  await expect(created).rejects.toMatchObject({ code: "unavailable", mayHaveHappened: true });
});

test("a schedule that an API key writes may exist when its response was lost", async () => {
  const lost: typeof fetch = async () => {
    throw new TypeError("the connection was reset");
  };
  const { schedules } = clientOf({ walletKey: undefined, fetch: lost, rpcUrl: CHAIN.rpc });
  const rule = { frequency: "daily", start: "2099-01-01" } as const;
  const created = schedules.create({ rule, payments: INPUT.rows }, { idempotencyKey: "rent" });
  await expect(created).rejects.toMatchObject({ name: "ResponseLost", idempotencyKey: "rent" });
});
