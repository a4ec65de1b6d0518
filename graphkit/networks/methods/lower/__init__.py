"""Who is raised below the hubs, so that sets of these find the partners that they lack: a linear program."""
