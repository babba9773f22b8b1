import { randomBytes } from "node:crypto";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { decryptAgentWallet, encryptAgentWallet } from "@/lib/ledger/encrypted/agent-wallet";
import { addLayer, removeLayer } from "./wallet-layer";

test("an agent's wallet key needs the agent's secret and the server's pepper, in its own place", () => {
  const privateKey = generatePrivateKey();
  const [pepper, secret] = [randomBytes(32), randomBytes(32)];
  const scope = { chainId: 46630, ledger: `0x${"aa".repeat(20)}`, domainSalt: `0x${"11".repeat(32)}` } as const;
  const ref = { scope, agent: privateKeyToAddress(privateKey) };
  const wallet = addLayer(pepper, ref, encryptAgentWallet(secret, ref, privateKey));
  expect(decryptAgentWallet(secret, ref, removeLayer([pepper], ref, wallet))).toBe(privateKey);
  expect(decryptAgentWallet(secret, ref, removeLayer([randomBytes(32), pepper], ref, wallet))).toBe(privateKey);
  expect(() => removeLayer([], ref, wallet)).toThrow(DecryptionFailed);
  expect(() => decryptAgentWallet(secret, ref, wallet)).toThrow(DecryptionFailed);
  expect(() => decryptAgentWallet(randomBytes(32), ref, removeLayer([pepper], ref, wallet))).toThrow(DecryptionFailed);
  const elsewhere = [
    { ...ref, agent: scope.ledger },
    { ...ref, scope: { ...scope, chainId: 4663 } },
    { ...ref, scope: { ...scope, ledger: ref.agent } },
  ];
  for (const other of elsewhere) expect(() => removeLayer([pepper], other, wallet)).toThrow(DecryptionFailed);
  expect(() => removeLayer([randomBytes(32)], ref, wallet)).toThrow(DecryptionFailed);
});
