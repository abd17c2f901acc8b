// Lists the tools, calls each of them but those that end the server, and prints it all.

export async function visit(client, transport, call, era) {
    await client.connect(transport);
    const { tools } = await client.listTools();
    const results = {};
    for (const { name } of tools.filter((tool) => !process.env.SKIP.split(',').includes(tool.name)))
        results[name] = await call(name, {}).catch((error) => ({ error: error.message }));
    let progress = 0;
    if (results.steps)
        await call('steps', { onprogress: () => { progress++; } });
    await new Promise((done) => { setTimeout(done, 50); });
    console.log(JSON.stringify({ era: era(), tools, results, progress }));
    await client.close();
}
