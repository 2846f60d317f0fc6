using System;
using System.Reflection;
using System.Runtime.InteropServices;

/** Runs the program's own Main, and skips Mono's shutdown, which sometimes hangs. */
static class Ending
{
    [DllImport("libc")]
    static extern void _exit(int code);

    static void Main()
    {
        var code = 0;
        try
        {
            typeof(Warehouse).GetMethod("Main", BindingFlags.NonPublic | BindingFlags.Static).Invoke(null, null);
        }
        catch (TargetInvocationException failure)
        {
            Console.Error.WriteLine("Unhandled Exception:\n" + failure.InnerException);
            code = 1;
        }
        Console.Out.Flush();
        Console.Error.Flush();
        _exit(code);
    }
}
