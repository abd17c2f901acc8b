"""A server made with the Python SDK, of either version."""
import asyncio
import json

from pydantic import BaseModel

try:
    from mcp.server.mcpserver import Context, MCPServer
except ImportError:
    from mcp.server.fastmcp import Context, FastMCP as MCPServer

ROWS = [{"id": i, "name": f"row {i}", "price": i + 0.5, "tags": ["a", "b"]} for i in range(30)]
server = MCPServer("tests")


class Row(BaseModel):
    id: int
    name: str
    price: float
    tags: list[str]


class Rows(BaseModel):
    rows: list[Row]


@server.tool()
def rows() -> str:
    return json.dumps(ROWS, indent=2)


@server.tool(structured_output=False)
def digits() -> str:
    return json.dumps(ROWS, indent=1).replace(".5", ".500000000000000000000")


@server.tool(structured_output=False)
def lines() -> str:
    return "\n".join(map(json.dumps, ROWS))


@server.tool(structured_output=False)
def prose() -> str:
    return "There are 30 rows. " * 30


@server.tool(structured_output=False)
def broken() -> str:
    raise ValueError(json.dumps(ROWS))


@server.tool()
def structured() -> Rows:
    return Rows(rows=[Row(**row) for row in ROWS])


@server.tool()
def wrapped() -> list[Row]:
    return [Row(**row) for row in ROWS]


@server.tool(structured_output=False)
async def steps(ctx: Context) -> str:
    for i in range(1, 4):
        await ctx.report_progress(i, 3)
        await asyncio.sleep(0.02)
    return json.dumps(ROWS, indent=2)


server.run("stdio")
