import { identityWebhook } from "@/lib/http/identity-webhook";
import { hostedProvider } from "@/lib/accounts/kyc/hosted-provider";

export const POST = identityWebhook(() => hostedProvider("live"));
