import { getSettings } from "@/lib/events/notifications/get-settings";
import { SwitchInput } from "@/lib/events/notifications/schema";
import { toNotifications } from "@/lib/events/notifications/settings-resource";
import { switchKind } from "@/lib/events/notifications/switch-kind";
import { route } from "@/lib/http/route";

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
