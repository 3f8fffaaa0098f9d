create role verification_2 login password :'password' in role verification;
