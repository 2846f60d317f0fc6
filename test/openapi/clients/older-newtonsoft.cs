// The generated client sets a naming strategy, which Newtonsoft.Json has from version 9 on. Debian has version 6. Every
// generated field has its name from the document, so the strategy has no effect. Names of this namespace come first.
namespace Warehouse
{
    class CamelCaseNamingStrategy
    {
        public bool OverrideSpecifiedNames { get; set; }
    }

    class DefaultContractResolver : Newtonsoft.Json.Serialization.DefaultContractResolver
    {
        public CamelCaseNamingStrategy NamingStrategy { get; set; }
    }
}
