import { type Address, createTestClient, erc20Abi, http } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assetBySymbol } from "@/lib/base/assets";
import { env } from "@/lib/base/env";
import { publicClient } from "@/lib/chain/clients";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { newRecoveryCode } from "@/lib/ledger/crypto/recovery-code";
import { encryptBackup } from "@/lib/ledger/encrypted/account-key-backup";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { setLimits } from "../payments/funding/limits";
import { send } from "../payments/send";
import { recover } from "./recover";

/* Withdraws money that is under policies using only chain data, without calling a service. */

const CHAIN = 46630;
let services: WorkingServices;

beforeAll(async () => {
  services = await startWorkingServices();
});
afterAll(() => services?.stop());

const rpcUrl = () => env().chains.test.rpcUrl;

async function giveGas(address: Address): Promise<void> {
  await createTestClient({ mode: "anvil", transport: http(rpcUrl()) }).setBalance({ address, value: 10n ** 18n });
}

const heldBy = (address: Address): Promise<bigint> =>
  publicClient(CHAIN).readContract({
    address: assetBySymbol(CHAIN).address,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [address],
  });

/** Creates an account with 30 USDG whose agent got 10 and has paid 1 under its policy. */
async function withAgent(): Promise<{ owner: Owner; agent: Agent }> {
  const owner = await Owner.funded(CHAIN, 30_000_000n);
  const { agent, operationId } = await Agent.create(owner);
  await settled(operationId);
  const context = await clientOf(owner.walletKey, rpcUrl());
  await send(context, { to: agent.address, amount: "10", clientSigned: true });
  const payee = await Owner.create(CHAIN);
  await settled(await payee.enroll());
  await send(context, { from: `@${agent.account.handle}`, to: payee.address, amount: "1", clientSigned: true });
  return { owner, agent };
}

test("the account's wallet withdraws what its agents have, and what is under limits of its own", async () => {
  const { owner, agent } = await withAgent();
  const context = await clientOf(owner.walletKey, rpcUrl());
  const limits = { daily_limit_usdg: 5, per_transaction_limit_usdg: 5, hitl_threshold_usdg: 5 };
  await setLimits(context, { ...limits, allowed_recipients: ["*"] });
  await send(context, { to: privateKeyToAddress(generatePrivateKey()), amount: "2", public: true, clientSigned: true });
  await giveGas(owner.address);
  const to = privateKeyToAddress(generatePrivateKey());
  const input = { rpc: rpcUrl(), ledger: owner.scope.ledger, to };
  const result = await recover(
    () => context.wallet,
    () => context.prover(),
    input,
  );
  expect(result.balances).toEqual([{ asset: "USDG", amount: "27" }]);
  expect(result.agents).toMatchObject([{ balances: [{ amount: "9" }] }]);
  expect(result.failed).toBeUndefined();
  expect(result.steps?.map(({ account, step }) => [account.toLowerCase(), step])).toEqual([
    [owner.address, "release"],
    [agent.address, "release"],
  ]);
  expect(await heldBy(to)).toBe(27_000_000n);
});

test("another wallet with a backup moves an agent's money to the account, and withdraws it from there", async () => {
  const { owner, agent } = await withAgent();
  const walletKey = generatePrivateKey();
  const { wallet, prover } = await clientOf(walletKey, rpcUrl()).then((context) => ({
    wallet: context.wallet,
    prover: () => context.prover(),
  }));
  await giveGas(wallet.address);
  const recoveryCode = newRecoveryCode();
  const backup = toHex(encryptBackup(owner.accountKey, owner.scope, owner.address, { recoveryCode }));
  const to = privateKeyToAddress(generatePrivateKey());
  const input = { rpc: rpcUrl(), ledger: owner.scope.ledger, to, account: owner.address, recoveryCode, backup };
  const result = await recover(() => wallet, prover, input);
  expect(result.failed).toBeUndefined();
  expect(result.steps?.map(({ account, step }) => [account.toLowerCase(), step])).toEqual([
    [agent.address, "fund"],
    [owner.address, "release"],
  ]);
  expect(await heldBy(to)).toBe(29_000_000n);
});
