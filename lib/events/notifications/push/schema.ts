import { z } from "zod";

const bytes = (length: number, what: string) =>
  z
    .string()
    .regex(/^[\w-]+={0,2}$/, what)
    .refine((text) => Buffer.from(text, "base64url").length === length, what);

/** The body of `POST /api/notifications/devices`: a browser's `PushSubscription` as JSON. */
export const AddDeviceInput = z.strictObject({
  endpoint: z.string().max(1_024, "The endpoint is too long."),
  expirationTime: z.number().nullable().optional(),
  keys: z.strictObject({
    p256dh: bytes(65, "p256dh is a P-256 public key, 65 bytes in base64url."),
    auth: bytes(16, "auth is 16 bytes in base64url."),
  }),
  user_agent: z.string().max(300).optional(),
});
export type AddDeviceInput = z.infer<typeof AddDeviceInput>;
