import { z } from "zod";
import { EnvError, encryptedSecrets, keepDecrypted } from "@/lib/base/env-secrets";
import { kmsEnv } from "@/lib/base/kms-env";
import { setAnchorAccount } from "@/lib/chain/anchor-account";
import { callKms, KmsFailed } from "./aws-kms";
import { kmsAccount } from "./kms-account";

const Decrypted = z.object({ Plaintext: z.string() });

/**
 * Decrypts the secrets of this process that are in `<name>_KMS` variables, and looks up the anchoring account if its
 * key is in the KMS. Call it once, before anything reads the environment. Afterwards only the anchoring account calls
 * the KMS.
 *
 * @throws EnvError naming the variable and the KMS's code
 */
export async function decryptSecretVariables(
  variables: Record<string, string | undefined> = process.env,
): Promise<void> {
  for (const { name, encrypted } of encryptedSecrets(variables)) {
    // Bound to its name, so that what was encrypted for one variable can't be used as another.
    const request = { CiphertextBlob: encrypted, EncryptionContext: { halcyon: name } };
    const { Plaintext } = await callKms("Decrypt", request, Decrypted, kmsEnv(variables)).catch(refuse(`${name}_KMS`));
    keepDecrypted(name, encrypted, Buffer.from(Plaintext, "base64").toString("utf8").trim());
  }
  const anchor = variables.ANCHOR_KMS_KEY;
  if (anchor) setAnchorAccount(await kmsAccount(anchor, kmsEnv(variables)).catch(refuse("ANCHOR_KMS_KEY")));
}

function refuse(name: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof KmsFailed ? new EnvError(`${name} can't be used: ${error.message}`) : error;
  };
}
