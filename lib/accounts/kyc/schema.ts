import { z } from "zod";

/** The body of `POST /api/kyc/verify`. */
export const VerifyIdentityInput = z
  .strictObject({ full_name: z.string("A name is a text.").min(1).max(200, "At most 200 characters.").optional() })
  .default({});

export type VerifyIdentityInput = z.infer<typeof VerifyIdentityInput>;
