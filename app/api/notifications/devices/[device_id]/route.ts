import { removeDevice } from "@/lib/events/notifications/push/remove-device";
import { route } from "@/lib/http/route";

export const DELETE = route({
  auth: "session",
  handle: ({ ctx, params }) => removeDevice(ctx, params.device_id ?? ""),
  status: 204,
  serialize: () => null,
});
