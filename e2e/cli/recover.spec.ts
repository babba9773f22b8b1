import { writeFile } from "node:fs/promises";
import path from "node:path";
import { createPublicClient, erc20Abi, http } from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { createBackup } from "@/sdk/account/backups";
import { localContext } from "@/sdk/local-context";
import { awayFromMidnight } from "../away-from-midnight";
import { expect, NOWHERE, test } from "./fixtures";

test("without the service the wallet recovers deposited money, available balance and more than 8 notes, also after an interruption", async ({
  payer,
  person,
  network,
}) => {
  const alice = await payer("alice", "100");
  const bob = await person("bob");
  const notes = Array.from({ length: 10 }, (_, index) => `${index + 1}.000001`);
  const [payerClient, bobClient] = [await alice.client(), await bob.client()];
  await Promise.all(notes.map((amount) => payerClient.transfers.create({ to: `@${bob.handle}`, amount })));
  await bobClient.balances.makeAvailable({ amount: "0.5" });
  await bobClient.testHelpers.faucet({ amount: "3" });
  // Gas for the wallet's own transactions.
  await bobClient.testHelpers.faucet({ asset: "ETH", amount: "0.1" });

  const chain = ["recover", "--rpc", network.rpc_url, "--ledger", network.ledger];
  const offline = { HALCYON_URL: NOWHERE };
  const all = {
    balances: expect.arrayContaining([
      { asset: "USDG", amount: "58.00001" },
      { asset: "ETH", amount: "0.1" },
    ]),
  };
  const shown = await bob.run(chain, offline);
  expect(JSON.parse(shown.stdout)).toEqual(all);

  // Killed as soon as its first transaction is on chain.
  const client = createPublicClient({ transport: http(network.rpc_url), cacheTime: 0 });
  const to = privateKeyToAddress(generatePrivateKey());
  const mined = () => client.getTransactionCount({ address: bob.address as `0x${string}`, blockTag: "latest" });
  const before = await mined();
  let pid = 0;
  const killed = bob.process([...chain, "--to", to], offline, (started) => {
    pid = started;
  });
  await expect.poll(mined, { intervals: [20], timeout: 60_000 }).toBeGreaterThan(before);
  process.kill(pid, "SIGKILL");
  expect((await killed).status).toBeNull();

  const finished = await bob.run([...chain, "--to", to], offline);
  expect(finished).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(finished.stdout)).toMatchObject({
    steps: expect.arrayContaining([
      { account: bob.address, asset: "USDG", step: "release", tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    ]),
  });
  const token = network.assets.find(({ symbol }) => symbol === "USDG")?.address ?? "0x";
  const paid = await client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [to] });
  expect(paid).toBe(58_000_010n);
  expect(await client.getBalance({ address: to })).toBe(100_000_000_000_000_000n);

  const after = await bob.run([...chain, "--to", to], offline);
  expect(JSON.parse(after.stdout)).toEqual({
    balances: expect.arrayContaining([
      { asset: "USDG", amount: "0" },
      { asset: "ETH", amount: "0" },
    ]),
    steps: [],
  });

  // Back at the service, the next move to the available balance syncs the available balance that changed without the
  // service.
  await bobClient.testHelpers.faucet({ amount: "2" });
  await bob.json("make-available");
  await bob.json("send", "--client-signed", "--to", alice.address, "--amount", "2");
});

test("without the service the wallet recovers its agents' notes and available balances; their spending so far is not forgotten", async ({
  payer,
  network,
}) => {
  await awayFromMidnight();
  const [alice, bob] = [await payer("alice", "60"), await payer("bob", "40")];
  const bot = `@${alice.handle}/bot`;
  const policy = ["--daily-limit", "10", "--per-transaction-limit", "10", "--threshold", "10", "--recipients", "*"];
  const { public_key } = await alice.json<{ public_key: string }>("agents", "create", "bot", ...policy);
  const idle = await alice.json<{ public_key: string }>("agents", "create", "idle");
  await alice.json("send", "--client-signed", "--to", bot, "--amount", "25");
  const [aliceClient, bobClient] = [await alice.client(), await bob.client()];
  await aliceClient.transfers.create({ from: bot, to: `@${bob.handle}`, amount: "7" });
  for (const amount of ["5.5", "0.25"]) await bobClient.transfers.create({ to: bot, amount });
  await aliceClient.testHelpers.faucet({ asset: "ETH", amount: "0.1" });

  const chain = ["recover", "--rpc", network.rpc_url, "--ledger", network.ledger];
  const offline = { HALCYON_URL: NOWHERE };
  const found = JSON.parse((await alice.run(chain, offline)).stdout) as Record<string, unknown>;
  expect(found).toEqual({
    balances: expect.arrayContaining([
      { asset: "USDG", amount: "58.75" },
      { asset: "ETH", amount: "0.1" },
    ]),
    agents: [
      { address: public_key, balances: expect.arrayContaining([{ asset: "USDG", amount: "23.75" }]) },
      { address: idle.public_key, balances: expect.arrayContaining([{ asset: "USDG", amount: "0" }]) },
    ],
  });

  const to = privateKeyToAddress(generatePrivateKey());
  const done = await alice.run([...chain, "--to", to], offline);
  expect(done).toMatchObject({ status: 0, stderr: "" });
  const { steps } = JSON.parse(done.stdout) as { steps: { account: string; asset: string; step: string }[] };
  const step = (account: string, asset: string, what: string) => ({
    account,
    asset,
    step: what,
    tx_hash: expect.stringMatching(/^0x/),
  });
  // What is in an available balance moves first; what a note adds follows by itself.
  expect(steps.slice(0, 2)).toEqual(
    expect.arrayContaining([step(alice.address, "USDG", "release"), step(public_key, "USDG", "release")]),
  );
  expect(steps).toHaveLength(6);
  expect(steps).toEqual(
    expect.arrayContaining([
      step(alice.address, "USDG", "release"),
      step(alice.address, "ETH", "make_available"),
      step(alice.address, "ETH", "release"),
      step(public_key, "USDG", "make_available"),
      step(public_key, "USDG", "release"),
    ]),
  );
  const client = createPublicClient({ transport: http(network.rpc_url), cacheTime: 0 });
  const token = network.assets.find(({ symbol }) => symbol === "USDG")?.address ?? "0x";
  const paid = await client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [to] });
  expect(paid).toBe(58_750_000n);

  // Back at the service, both available balances are synced. 7 of the agent's daily 10 are still spent.
  await aliceClient.testHelpers.faucet({ amount: "20" });
  await alice.json("make-available");
  await alice.json("send", "--client-signed", "--to", bot, "--amount", "10");
  const pay = ["send", "--from", bot, "--to", `@${bob.handle}`, "--amount"];
  expect(await alice.error([...pay, "3.000001"])).toMatchObject({ code: "policy_violation", reason: "daily_limit" });
  await alice.json(...pay, "3");
});

test("a second wallet opens a backup, reads everything and withdraws the available balance; the rest waits for the account's own", async ({
  payer,
  person,
  network,
  baseURL,
}) => {
  const lost = await payer("lost", "30");
  await (await lost.client()).testHelpers.faucet({ amount: "5" });
  const second = await person("second");
  await (await second.client()).testHelpers.faucet({ asset: "ETH", amount: "0.01" });
  const configDir = path.dirname(lost.keyFile);
  const context = localContext({ url: baseURL, walletKey: await lost.walletKey(), configDir });
  const wallet = privateKeyToAccount(await second.walletKey());
  const { encrypted } = await createBackup(context, { label: "Second", opener: { wallet } });
  const file = path.join(configDir, "backup.json");
  const saved = { format: "halcyon-backup/1", account: lost.address, ledger: network.ledger, encrypted };
  await writeFile(file, JSON.stringify(saved));

  const chain = ["recover", "--rpc", network.rpc_url, "--ledger", network.ledger];
  const to = privateKeyToAddress(generatePrivateKey());
  const stranger = await person("stranger", { enroll: false });
  expect(await stranger.error([...chain, "--backup-file", file])).toMatchObject({ code: "invalid_request" });
  expect(await second.error([...chain, "--account", lost.address])).toMatchObject({ code: "invalid_request" });
  const done = await second.run([...chain, "--backup-file", file, "--to", to], { HALCYON_URL: NOWHERE });
  expect(done).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(done.stdout)).toEqual({
    balances: [{ asset: "USDG", amount: "35" }],
    steps: [{ account: expect.any(String), asset: "USDG", step: "release", tx_hash: expect.any(String) }],
    left: [{ asset: "USDG", amount: "5" }],
  });
  const client = createPublicClient({ transport: http(network.rpc_url), cacheTime: 0 });
  const token = network.assets.find(({ symbol }) => symbol === "USDG")?.address ?? "0x";
  const paid = await client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [to] });
  expect(paid).toBe(30_000_000n);
});

test("who never enrolled recovers nothing, and a contract that is no ledger is refused", async ({
  person,
  network,
}) => {
  const stranger = await person("stranger", { enroll: false });
  const chain = ["recover", "--rpc", network.rpc_url, "--ledger"];
  expect(await stranger.error([...chain, network.ledger])).toMatchObject({ code: "not_found" });
  expect(await stranger.error([...chain, network.assets[0]?.address ?? ""])).toMatchObject({ code: "unavailable" });
  expect(await stranger.error(["recover", "--rpc", NOWHERE, "--ledger", network.ledger])).toMatchObject({
    code: "unavailable",
  });
});
