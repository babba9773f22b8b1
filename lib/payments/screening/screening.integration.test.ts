import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { onBehalfOf } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { CHAIN_ID } from "@/lib/base/network";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { ChainalysisDouble } from "@/test/services/chainalysis-double";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { requireScreened } from "./require-screened";

let services: SharedServices;
let double: ChainalysisDouble;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  double = await ChainalysisDouble.start();
});
afterEach(() => double.stop());

const anyone = () => toHex(randomBytes(20));
const screen = (address: `0x${string}`, now = new Date(), chainId: 46630 | 4663 = CHAIN_ID.live) =>
  requireScreened(chainId, address, now, { ...env(), screening: double });

test("an address that no list names passes, and the provider learns the address alone", async () => {
  const address = anyone();
  await screen(address);
  expect(double.asked).toEqual([`/api/v1/address/${address}`]);
});

test("an address on a list is blocked, also by what was asked before", async () => {
  const address = anyone();
  double.listed.add(address);
  for (let i = 0; i < 2; i += 1) await expect(screen(address)).rejects.toMatchObject({ code: "recipient_blocked" });
  expect(double.asked).toHaveLength(1);
});

test("after 24 hours a list is asked again, and its new response counts", async () => {
  const address = anyone();
  await screen(address);
  double.listed.add(address);
  await screen(address, new Date(Date.now() + 23 * 3_600_000));
  await expect(screen(address, new Date(Date.now() + 25 * 3_600_000))).rejects.toMatchObject({
    code: "recipient_blocked",
  });
});

test("what can't be screened is not paid, and is tried again next time", async () => {
  const address = anyone();
  double.away = true;
  await expect(screen(address)).rejects.toMatchObject({ code: "unavailable" });
  double.away = false;
  await screen(address);
});

test("the test network screens no one", async () => {
  const address = anyone();
  double.listed.add(address);
  await screen(address, new Date(), CHAIN_ID.test);
  expect(double.asked).toEqual([]);
});

test("a payment that waits for the provider keeps no other payment of its account waiting", async () => {
  const address = anyone();
  let gaveWay = 0;
  const asOwner = () =>
    onBehalfOf(
      "0x01",
      () => screen(address),
      () => (gaveWay += 1),
    );
  await asOwner();
  expect(gaveWay).toBe(1);
  // What is known is not asked again.
  await asOwner();
  expect(gaveWay).toBe(1);
});
