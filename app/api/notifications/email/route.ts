import { route } from "@/lib/http/route";
import { removeEmail } from "@/lib/notifications/email/remove-email";
import { SetEmailInput } from "@/lib/notifications/email/schema";
import { setEmail } from "@/lib/notifications/email/set-email";
import { getSettings } from "@/lib/notifications/get-settings";
import { toNotifications } from "@/lib/notifications/settings-resource";

export const POST = route({
  auth: "session",
  body: SetEmailInput,
  handle: async ({ ctx, body }) => {
    await setEmail(ctx, body);
    return getSettings(ctx);
  },
  status: 202,
  serialize: toNotifications,
});

export const DELETE = route({
  auth: "session",
  handle: ({ ctx }) => removeEmail(ctx),
  status: 204,
  serialize: () => null,
});
