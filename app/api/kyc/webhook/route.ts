import { identityWebhook } from "@/lib/http/identity-webhook";
import { hostedProvider } from "@/lib/kyc/hosted-provider";

export const POST = identityWebhook(() => hostedProvider("live"));
