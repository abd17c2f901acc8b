"""Calls every tool of a server with the Python SDK, of either version; prints what came.

usage: client.py auto|legacy COMMAND ARG..
"""
import asyncio
import json
import os
import sys

import anyio
from mcp.client.stdio import StdioServerParameters, stdio_client

mode, command, *arguments = sys.argv[1:]
server = StdioServerParameters(command=command, args=arguments, env=dict(os.environ))


def plain(model):
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)


async def visit(session, era):
    tools = [plain(tool) for tool in (await session.list_tools()).tools]
    results, told = {}, []

    async def note(progress, total, message):
        told.append(progress)

    for name in [tool["name"] for tool in tools]:
        if name not in os.environ["SKIP"].split(","):
            try:
                with anyio.fail_after(20):
                    results[name] = plain(await session.call_tool(name, {}))
            except Exception as problem:
                results[name] = {"error": str(problem)}
    if "steps" in results:
        await session.call_tool("steps", {}, progress_callback=note)
    await asyncio.sleep(0.05)
    print(json.dumps({"era": era(), "tools": tools, "results": results, "progress": len(told)}))


async def main():
    try:
        from mcp import Client
    except ImportError:
        from mcp import ClientSession
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            version = (await session.initialize()).protocolVersion
            await visit(session, lambda: version)
    else:
        async with Client(server, mode=mode) as session:
            await visit(session, lambda: session.protocol_version)


asyncio.run(main())
