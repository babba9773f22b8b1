import { z } from "zod";
import { checked, type Given, providerUrl, setIn, url } from "./env-variables";

/** How AWS KMS is reached; variables as AWS names them. */
export interface KmsEnv {
  region: string;
  url: string;
  accessKeyId?: string;
  secretAccessKey?: string;
  sessionToken?: string;
  /** Where a container on ECS or EKS gets keys (AWS_CONTAINER_CREDENTIALS_FULL_URI), and what shows that it may. */
  credentialsUri?: string;
  credentialsTokenFile?: string;
}

/** The variables of a KMS, by their names. */
export const KmsVariables = z.object({
  AWS_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, "must be a region such as eu-central-1")
    .meta({ sets: "the KMS's region" }),
  AWS_KMS_URL: providerUrl
    .optional()
    .meta({ sets: "where its API is, for example a VPC endpoint", standard: "of the region" }),
  AWS_ACCESS_KEY_ID: z.string().optional().meta({ sets: "keys that may call it" }),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_SESSION_TOKEN: z.string().optional(),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: url(/^https?$/, "http://169.254.170.23/v1/credentials")
    .optional()
    .meta({ sets: "where a container gets such keys", standard: "set by ECS and EKS Pod Identity" }),
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: z.string().optional(),
});

/**
 * How this process reaches the KMS.
 *
 * @throws EnvError
 */
export function kmsEnv(variables: Given = process.env): KmsEnv {
  const v = checked(KmsVariables, setIn(variables), "A KMS is used. Set:");
  return {
    region: v.AWS_REGION,
    url: v.AWS_KMS_URL ?? `https://kms.${v.AWS_REGION}.amazonaws.com`,
    accessKeyId: v.AWS_ACCESS_KEY_ID,
    secretAccessKey: v.AWS_SECRET_ACCESS_KEY,
    sessionToken: v.AWS_SESSION_TOKEN,
    credentialsUri: v.AWS_CONTAINER_CREDENTIALS_FULL_URI,
    credentialsTokenFile: v.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE,
  };
}
