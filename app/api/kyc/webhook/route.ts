import { hostedProvider } from "@/lib/accounts/kyc/hosted-provider";
import { identityWebhook } from "@/lib/http/identity-webhook";

export const POST = identityWebhook(() => hostedProvider("live"));
