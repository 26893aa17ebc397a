"""help.*: the configuration of clients, also before they are logged in."""

from chimein_gui.sandbox.rpc.call import Call, Handlers
from chimein_gui.sandbox.wire.tl import TLObject, functions, types

DC_ID = 2
"""The only data centre; clients get no other, so they can't leave the loopback."""

_DAY_S = 24 * 60 * 60


def _get_config(call: Call, _request: TLObject) -> TLObject:
    now = call.world.now()
    return types.Config(
        date=now,
        expires=now + _DAY_S,
        test_mode=False,
        this_dc=DC_ID,
        dc_options=[types.DcOption(DC_ID, call.around.host, call.around.port)],
        dc_txt_domain_name="",
        chat_size_max=200,
        megagroup_size_max=200_000,
        forwarded_count_max=100,
        online_update_period_ms=210_000,
        offline_blur_timeout_ms=5_000,
        offline_idle_timeout_ms=30_000,
        online_cloud_timeout_ms=300_000,
        notify_cloud_delay_ms=30_000,
        notify_default_delay_ms=1_500,
        push_chat_period_ms=60_000,
        push_chat_limit=2,
        edit_time_limit=2 * _DAY_S,
        revoke_time_limit=2**31 - 1,
        revoke_pm_time_limit=2**31 - 1,
        rating_e_decay=2_419_200,
        stickers_recent_limit=200,
        channels_read_media_period=7 * _DAY_S,
        call_receive_timeout_ms=20_000,
        call_ring_timeout_ms=90_000,
        call_connect_timeout_ms=30_000,
        call_packet_timeout_ms=10_000,
        me_url_prefix="https://t.me/",
        caption_length_max=1_024,
        message_length_max=4_096,
        webfile_dc_id=DC_ID,
    )


def _get_app_config(call: Call, _request: TLObject) -> TLObject:
    """Return the client configuration, which here has only whether the account is frozen, and since when."""
    since = call.world.now() if call.around.faults.is_frozen(call.user_id) else 0
    values = {"freeze_since_date": since, "freeze_until_date": since + 30 * _DAY_S if since else 0}
    entries = [types.JsonObjectValue(key, types.JsonNumber(number)) for key, number in values.items()]
    return types.help.AppConfig(hash=since, config=types.JsonObject(entries))


def _get_nearest_dc(_call: Call, _request: TLObject) -> TLObject:
    return types.NearestDc("ZZ", DC_ID, DC_ID)


HANDLERS: Handlers = {
    functions.help.GetConfigRequest: _get_config,
    functions.help.GetAppConfigRequest: _get_app_config,
    functions.help.GetNearestDcRequest: _get_nearest_dc,
}
