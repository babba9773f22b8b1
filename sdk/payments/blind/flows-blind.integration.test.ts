import { afterAll, beforeAll, expect, test } from "vitest";
import { assetBySymbol } from "@/lib/base/assets";
import { env } from "@/lib/base/env";
import { publicClient } from "@/lib/chain/clients";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import { createBlindKey } from "@/test/accounts/api-key";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, keyClientOf } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { createBlindKey as createPair } from "../../account/create-blind-key";
import { decryptFunds } from "../../account/funds/funds";
import { partyOf } from "../../account/party";
import { moneyEvents } from "../../chain/ledger-events";
import { rotateAccountSecret } from "../../recovery/account-secret/rotate-account-secret";
import { sendBlind } from "./pay-blind";

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee] = [await Owner.funded(CHAIN, 50_000_000n), await Owner.create(CHAIN)];
  await settled(await payee.enroll());
});
afterAll(() => services?.stop());

const rpcUrl = () => env().chains.test.rpcUrl;
const pay = async (pair: { text: string; homeKey: string }, amount: string) =>
  sendBlind(await keyClientOf(pair, rpcUrl()), { to: payee.address, amount });

test("a viewing key and the chain, without the service, show what a blind key has left", async () => {
  await pay(await createBlindKey(owner), "3.141592");
  const chain = publicClient(CHAIN);
  const { scope, address, viewing } = owner;
  const events = await moneyEvents(chain, scope.ledger, address, 0n, await chain.getBlockNumber());
  const { assets } = await foldHistory(scope, address, viewing.secret, events);
  expect(assets.get(assetBySymbol(CHAIN).address)?.available?.limit).toBe(46_858_408n);
});

test("a rotation ends a blind key, and the next pair pays from the same balance", async () => {
  const before = await createBlindKey(owner);
  await pay(before, "1");
  const wallet = await clientOf(owner.walletKey, rpcUrl());
  await rotateAccountSecret(wallet);
  await expect(pay(before, "1")).rejects.toMatchObject({ code: "unauthorized" });
  const left = async () =>
    (await decryptFunds(wallet, await partyOf(wallet), await wallet.asset("USDG"))).available.limit;
  const rest = await left();
  const { api_key: text, home_key: homeKey = "" } = await createPair(wallet, { label: "after" });
  expect(await pay({ text, homeKey }, "2")).toMatchObject({ status: "confirmed" });
  expect(await left()).toBe(rest - 2_000_000n);
});
