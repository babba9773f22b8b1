import { randomBytes } from "node:crypto";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { newRecoveryCode } from "@/lib/ledger/crypto/recovery-code";
import { deployWallet } from "@/test/accounts/contract-wallet";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import type { Wallet } from "../chain/wallet";
import { makeAvailable } from "../payments/funding/make-available";
import { send } from "../payments/send";
import { rotateAccountSecret } from "../recovery/account-secret/rotate-account-secret";
import { createAgent } from "./create-agent";
import { partyOf } from "./party";
import { setPolicy } from "./set-policy";
import { signup } from "./signup";

const CHAIN = 46630;
let services: WorkingServices;
let payer: Owner;
let payee: Owner;

/** A contract that one key signs for, over the ledger's digest. */
let wallet: Wallet;
const recoveryCode = newRecoveryCode();
const rpcUrl = () => env().chains.test.rpcUrl;
const client = (code?: string) => clientOf(wallet, rpcUrl(), code === undefined ? {} : { recoveryCode: code });

beforeAll(async () => {
  services = await startWorkingServices();
  [payer, payee] = [await Owner.funded(CHAIN, 50_000_000n), await Owner.create(CHAIN)];
  await settled(await payee.enroll());
  const key = privateKeyToAccount(generatePrivateKey());
  wallet = {
    address: await deployWallet(CHAIN, "KeyWallet", [key.address]),
    signTypedData: (data) => key.signTypedData(data),
    signMessage: (input) => key.signMessage(input),
  };
});
afterAll(() => services?.stop());

test("a contract wallet enrolls with a recovery code, the one thing that decrypts its account's key", async () => {
  const handle = `c${randomBytes(6).toString("hex")}`;
  await expect(signup(await client(), { handle })).rejects.toMatchObject({ param: "recoveryCode" });
  const enrolled = await signup(await client(), { handle, recoveryCode });
  expect(enrolled.public_key.toLowerCase()).toBe(wallet.address);
  await expect((await client()).vault()).rejects.toMatchObject({ param: "recoveryCode" });
  await expect((await client(newRecoveryCode())).vault()).rejects.toThrow();
  expect((await (await client(recoveryCode)).vault()).secretVersion).toBe(1);
});

test("it receives, makes money available, sets a policy, pays and rotates, each signed by its contract where the ledger wants it", async () => {
  await send(await clientOf(payer.walletKey, rpcUrl()), { to: wallet.address, amount: "20", clientSigned: true });
  const context = await client(recoveryCode);
  expect(await makeAvailable(context)).toMatchObject({ notes: 1, amount: "20" });
  await createAgent(context, { name: "bot" });
  const fields = {
    daily_limit_usdg: 9,
    per_transaction_limit_usdg: 9,
    hitl_threshold_usdg: 9,
    allowed_recipients: ["*"],
  };
  expect(await setPolicy(context, "bot", fields)).toMatchObject(fields);
  const { address } = await partyOf(context, "bot");
  expect((await (await context.chain()).policyOf(address)).policyVersion).toBe(2n);
  expect(await send(context, { to: payee.address, amount: "5", clientSigned: true })).toMatchObject({
    status: "confirmed",
  });
  const withoutCode = await client();
  await expect(rotateAccountSecret(withoutCode)).rejects.toMatchObject({ param: "recoveryCode" });
  const rotated = await rotateAccountSecret(withoutCode, undefined, recoveryCode);
  expect(rotated).toMatchObject({ secret_version: 2, agents_rekeyed: 1, available_balances: 1 });
  expect(rotated).not.toHaveProperty("unfinished");
});
