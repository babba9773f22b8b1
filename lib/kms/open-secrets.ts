import { z } from "zod";
import { setAnchorAccount } from "@/lib/chain/anchor-account";
import { EnvError, keepOpened, kmsEnv, sealedSecrets } from "@/lib/env";
import { callKms, KmsFailed } from "./aws-kms";
import { kmsAccount } from "./kms-account";

const Opened = z.object({ Plaintext: z.string() });

/**
 * Decrypts each secret of this process that `<name>_KMS` holds, and looks up the anchoring account when its key is in the
 * KMS. Once, before anything reads the environment: nothing else asks the KMS while it serves.
 *
 * @throws EnvError naming the variable and the KMS's code
 */
export async function openSecrets(variables: Record<string, string | undefined> = process.env): Promise<void> {
  for (const { name, sealed } of sealedSecrets(variables)) {
    // Bound to its name: what was encrypted for one variable does not open as another.
    const request = { CiphertextBlob: sealed, EncryptionContext: { halcyon: name } };
    const { Plaintext } = await callKms("Decrypt", request, Opened, kmsEnv(variables)).catch(refuse(`${name}_KMS`));
    keepOpened(name, sealed, Buffer.from(Plaintext, "base64").toString("utf8").trim());
  }
  const anchor = variables.ANCHOR_KMS_KEY;
  if (anchor) setAnchorAccount(await kmsAccount(anchor, kmsEnv(variables)).catch(refuse("ANCHOR_KMS_KEY")));
}

function refuse(name: string): (error: unknown) => never {
  return (error) => {
    throw error instanceof KmsFailed ? new EnvError(`${name} can't be used: ${error.message}`) : error;
  };
}
