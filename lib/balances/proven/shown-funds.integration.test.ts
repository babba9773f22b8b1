import { afterAll, beforeAll, expect, test } from "vitest";
import type { SessionContext } from "@/lib/base/context/context";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { decryptShownFunds, encryptShownFunds } from "@/lib/ledger/funds/shown-funds";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { ReplaceShownFundsInput } from "./schema";
import { readShownFunds, replaceShownFunds } from "./shown-funds";

let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const ASSET = `0x${"b2".repeat(20)}` as const;
const KEY = new Uint8Array(32).fill(7);

function recordOf(owner: Owner, version: number, expected = version - 1, highest = 2000n) {
  const record = [{ verifier: "North Bank", asset: ASSET, highest, askedAt: new Date(0) }];
  const encrypted = toHex(encryptShownFunds(KEY, owner.scope, owner.address, version, record));
  return ReplaceShownFundsInput.parse({ expected, version, encrypted });
}

test("the record travels with the account: what one device kept, another one opens", async () => {
  const owner = await Owner.create(46630);
  expect(await readShownFunds(owner.session)).toEqual({ version: 0, encrypted: null });
  await replaceShownFunds(owner.session, recordOf(owner, 1));
  const { version, encrypted } = await readShownFunds(owner.session);
  expect(decryptShownFunds(KEY, owner.scope, owner.address, version, fromHex(encrypted ?? "0x"))[0]?.highest).toBe(
    2000n,
  );
});

test("of devices that write at once one is taken, and the others get what it wrote", async () => {
  const owner = await Owner.create(46630);
  for (const version of [1, 2]) {
    const sent = [1n, 2n, 5n, 10n].map((highest) => recordOf(owner, version, version - 1, highest));
    const results = await Promise.all(sent.map((input) => replaceShownFunds(owner.session, input)));
    const taken = results.filter(({ taken: own }) => own);
    expect(taken).toHaveLength(1);
    for (const { record } of results) expect(record).toEqual(taken[0]?.record);
  }
});

test("a device that read an earlier record does not undo a later one", async () => {
  const owner = await Owner.create(46630);
  await replaceShownFunds(owner.session, recordOf(owner, 1));
  await replaceShownFunds(owner.session, recordOf(owner, 2));
  const before = await readShownFunds(owner.session);
  for (const late of [recordOf(owner, 1, 0), recordOf(owner, 2, 1), recordOf(owner, 9, 7)]) {
    expect(await replaceShownFunds(owner.session, late)).toEqual({ taken: false, record: before });
  }
  // A device that has seen a later version than the service's continues from that one.
  expect(await replaceShownFunds(owner.session, recordOf(owner, 9, 2))).toMatchObject({ taken: true });
});

test("another account and the other network neither see nor change a record", async () => {
  const [owner, stranger] = await Promise.all([Owner.create(46630), Owner.create(46630)]);
  await replaceShownFunds(owner.session, recordOf(owner, 1));
  const before = await readShownFunds(owner.session);
  const live: SessionContext = { ...owner.session, network: "live", chainId: 4663 };
  for (const other of [stranger.session, live]) {
    expect(await readShownFunds(other)).toEqual({ version: 0, encrypted: null });
    expect(await replaceShownFunds(other, recordOf(owner, 2))).toMatchObject({ taken: false });
    await replaceShownFunds(other, recordOf(owner, 1));
  }
  expect(await readShownFunds(owner.session)).toEqual(before);
});

test("refused: another length, a version that does not go up, anything beside", async () => {
  const owner = await Owner.create(46630);
  const good = recordOf(owner, 1);
  for (const change of [
    { encrypted: `${good.encrypted}00` },
    { encrypted: good.encrypted.slice(0, -2) },
    { version: 0 },
    { expected: 1 },
    { expected: -1 },
    { version: 1.5 },
    { version: 2 ** 31 },
    { agent: "bot" },
  ]) {
    expect(ReplaceShownFundsInput.safeParse({ ...good, ...change }).success).toBe(false);
  }
});
