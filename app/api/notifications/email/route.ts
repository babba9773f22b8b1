import { removeEmail } from "@/lib/events/notifications/email/remove-email";
import { SetEmailInput } from "@/lib/events/notifications/email/schema";
import { setEmail } from "@/lib/events/notifications/email/set-email";
import { getSettings } from "@/lib/events/notifications/get-settings";
import { toNotifications } from "@/lib/events/notifications/settings-resource";
import { route } from "@/lib/http/route";

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
