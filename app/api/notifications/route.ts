import { route } from "@/lib/http/route";
import { getSettings } from "@/lib/notifications/get-settings";
import { SwitchInput } from "@/lib/notifications/schema";
import { toNotifications } from "@/lib/notifications/settings-resource";
import { switchKind } from "@/lib/notifications/switch-kind";

export const GET = route({
  auth: "session",
  handle: ({ ctx }) => getSettings(ctx),
  serialize: toNotifications,
});

export const PATCH = route({
  auth: "session",
  body: SwitchInput,
  handle: async ({ ctx, body }) => {
    await switchKind(ctx, body);
    return getSettings(ctx);
  },
  serialize: toNotifications,
});
