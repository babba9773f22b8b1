import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { z } from "zod";
import { EnvError } from "@/lib/base/env-secrets";
import { type KmsEnv, kmsEnv } from "@/lib/base/kms-env";
import { NOT_ENCODED, plainFetch } from "@/lib/base/plain-fetch";

type Action = "Decrypt" | "Sign" | "GetPublicKey";

/** How long a call of the KMS may take. */
const PATIENCE_MS = 10_000;

/**
 * Thrown if the KMS refuses a call or can't be reached. Contains the call's name and the KMS's code, but nothing that
 * was sent.
 */
export class KmsFailed extends Error {
  override readonly name = "KmsFailed";
  constructor(
    action: string,
    readonly code: string,
    /** Whether the KMS may do it a little later. */
    readonly isBusy = false,
  ) {
    super(`The KMS did not do ${action} (${code}).`);
  }
}

const Credentials = z.object({ AccessKeyId: z.string(), SecretAccessKey: z.string(), Token: z.string().optional() });

/**
 * Creates a client that signs with AWS credentials: from the environment, or from the URI that ECS and EKS give a
 * container.
 */
async function clientOf(kms: KmsEnv): Promise<AwsClient> {
  const common = { region: kms.region, service: "kms" };
  if (kms.accessKeyId && kms.secretAccessKey) {
    const { accessKeyId, secretAccessKey, sessionToken } = kms;
    return new AwsClient({ ...common, accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
  }
  if (!kms.credentialsUri) {
    throw new EnvError(
      "A KMS is used, so AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set, or the container's.",
    );
  }
  const token = kms.credentialsTokenFile && (await readFile(kms.credentialsTokenFile, "utf8")).trim();
  const headers: Record<string, string> = token ? { authorization: token } : {};
  const response = await plainFetch()(kms.credentialsUri, { headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  const read = Credentials.safeParse(response.ok ? await response.json() : undefined);
  if (!read.success) throw new KmsFailed("credentials", String(response.status));
  const { AccessKeyId: accessKeyId, SecretAccessKey: secretAccessKey, Token: sessionToken } = read.data;
  return new AwsClient({ ...common, accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) });
}

/** AWS reports throttling with status 400, which the client library does not retry. */
const ATTEMPTS = 4;
const PAUSE_MS = 100;

/**
 * Calls an action of AWS KMS (https://docs.aws.amazon.com/kms/latest/APIReference), signed with SigV4. Retries when the
 * KMS is busy.
 *
 * @throws KmsFailed
 */
export async function callKms<T>(
  action: Action,
  body: Record<string, unknown>,
  response: z.ZodType<T>,
  kms: KmsEnv = kmsEnv(),
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await callOnce(action, body, response, kms);
    } catch (error) {
      if (!(error instanceof KmsFailed && error.isBusy) || attempt === ATTEMPTS) throw error;
      await sleep(PAUSE_MS * 2 ** attempt);
    }
  }
}

async function callOnce<T>(
  action: Action,
  body: Record<string, unknown>,
  response: z.ZodType<T>,
  kms: KmsEnv,
): Promise<T> {
  const client = await clientOf(kms);
  const headers = {
    ...NOT_ENCODED,
    "content-type": "application/x-amz-json-1.1",
    "x-amz-target": `TrentService.${action}`,
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const returned = await client
    .sign(kms.url, { method: "POST", headers, body: JSON.stringify(body) })
    .then((request) => plainFetch()(request, { signal }))
    .catch((error: Error) => {
      throw new KmsFailed(action, error.name);
    });
  const text = await returned.text();
  if (!returned.ok) {
    const { status } = returned;
    const code = /"__type"\s*:\s*"(?:[^"#]*#)?(\w+)"/.exec(text)?.[1] ?? String(status);
    throw new KmsFailed(action, code, code === "ThrottlingException" || status === 429 || status >= 500);
  }
  const read = response.safeParse(JSON.parse(text));
  if (!read.success) throw new KmsFailed(action, "a response of another form");
  return read.data;
}
